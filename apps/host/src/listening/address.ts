const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Host of the URL by which this machine reaches what listens on an address: one that stands for all is none to go to. */
export function urlHost(address: string): string {
  if (everyAddress.has(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}

/** Whether two listeners on one port would be in each other's way. */
export const shareAddresses = (one: string, other: string): boolean =>
  everyAddress.has(one) || everyAddress.has(other) || named(one) === named(other);

const named = (address: string): string => (address === 'localhost' ? '127.0.0.1' : address);
