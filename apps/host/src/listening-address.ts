const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Host of the URL by which this machine reaches what listens on an address: one that stands for all is none to go to. */
export function urlHost(address: string): string {
  if (everyAddress.has(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}
