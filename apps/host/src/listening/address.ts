const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Returns the host of a URL that reaches a listening address from this machine. A wildcard address becomes `localhost`.
 */
export function urlHost(address: string): string {
  if (everyAddress.has(address)) return 'localhost';
  return address.includes(':') ? `[${address}]` : address;
}

/** Returns true if two listeners on one port would conflict. */
export const shareAddresses = (one: string, other: string): boolean =>
  everyAddress.has(one) || everyAddress.has(other) || named(one) === named(other);

const named = (address: string): string => (address === 'localhost' ? '127.0.0.1' : address);
