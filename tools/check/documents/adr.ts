import { findAdrFaults, readAdrs } from '../../docs/adr.ts';

/** Returns the faults in form and length of all decisions in `docs/adr`. */
export function findFaultyAdrs(root: string): string[] {
  const adrs = readAdrs(root);
  const files = adrs.map(({ file }) => file);
  return adrs.flatMap(({ file, text }) => findAdrFaults(file, text, files));
}
