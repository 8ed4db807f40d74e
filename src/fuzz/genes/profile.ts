import { drawProfile, type FlowProfile } from "../../generators/flowProfile.ts";
import { Choices } from "./choices.ts";

/** Choices of a profile. */
export const PROFILE_WIDTH = 512;

/** The venue of a case and how it is used. */
export type CaseProfile = FlowProfile;

/** What the choices of a profile mean. */
export function readProfile(profile: Uint16Array): CaseProfile {
  return drawProfile(new Choices(profile));
}
