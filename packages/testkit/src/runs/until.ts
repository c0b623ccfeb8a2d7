const patienceMs = 60_000;
const lookAgainMs = 25;

/** Looks until something is there. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > endMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
