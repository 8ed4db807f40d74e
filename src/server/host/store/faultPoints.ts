import type { FaultPoint } from "../../../client/api/schemas/faults.ts";

/** Called at each point of the store at which a test or a devnet may stop the service. */
export type OnFaultPoint = (point: FaultPoint) => void;
