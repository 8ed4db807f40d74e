/**
 * Preloaded into a command under test: an SDK of OpenTelemetry that adds each span as a line to the file in `SPANS`.
 */
import { appendFileSync } from "node:fs";
import {
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-node";

export interface WrittenSpan {
  readonly name: string;
  readonly kind: number;
  readonly trace: string;
  readonly id: string;
  readonly parent: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function describeSpan(span: ReadableSpan): WrittenSpan {
  const { traceId: trace, spanId: id } = span.spanContext();
  const { name, kind, attributes } = span;
  return { name, kind, trace, id, parent: span.parentSpanContext?.spanId, attributes };
}

const file = process.env["SPANS"]!;
const exporter: SpanExporter = {
  export(spans, done) {
    appendFileSync(file, spans.map((span) => `${JSON.stringify(describeSpan(span))}\n`).join(""));
    done({ code: 0 });
  },
  shutdown: async () => undefined,
};

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
