/** Runs a check that throws an Error. @returns its message; empty if the check passes. */
export function faultOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
