/** Finds the tape of a job by its hash, whatever the name of its file. */
export interface TapeFinder {
  /**
   * @param name of the file where the job was made
   * @returns absolute path of a tape whose index has this hash
   * @throws {ClusterError} TAPE_MISSING, TAPE_WRONG, TAPE_UNREACHABLE
   */
  find(hash: string, name: string): Promise<string>;
}
