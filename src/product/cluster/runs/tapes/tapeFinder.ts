/** Finds the tape of a job by its hash. Its file may have any name. */
export interface TapeFinder {
  /**
   * @param name file name of the tape on the machine of the command
   * @returns absolute path of a tape whose index has this hash
   * @throws {ClusterError} TAPE_MISSING, TAPE_WRONG, TAPE_UNREACHABLE
   */
  find(hash: string, name: string): Promise<string>;
}
