import { Type } from "typebox";
import { defineRoute } from "../route.ts";

/** The contract about itself. */
export const contractRoutes = {
  getOpenApi: defineRoute({
    method: "GET",
    path: "/openapi.json",
    tag: "contract",
    summary: "This contract",
    description: "Its SHA-256, as served, is `versions.openapiSha256` of `/status`.",
    responses: { 200: Type.Record(Type.String(), Type.Unknown(), { description: "An OpenAPI 3.1 document." }) },
    weight: 5,
  }),
  getAsyncApi: defineRoute({
    method: "GET",
    path: "/asyncapi.json",
    tag: "contract",
    summary: "The contract of the streams",
    responses: { 200: Type.Record(Type.String(), Type.Unknown(), { description: "An AsyncAPI 3 document." }) },
    weight: 5,
  }),
  getReference: defineRoute({
    method: "GET",
    path: "/reference",
    tag: "contract",
    summary: "This contract as a page",
    contentType: "text/html; charset=utf-8",
    responses: { 200: Type.String({ description: "A page that needs nothing else." }) },
    weight: 5,
  }),
} as const;
