import { brokenRule } from '../../platform/http/index.ts';
import type { Outbound, OutboundPolicy } from '../../platform/outbound/index.ts';

/** Returns the last part of an address, which is the display name of the repository. */
export const nameOf = (url: string): string =>
  new URL(url).pathname
    .split('/')
    .filter(Boolean)
    .at(-1)
    ?.replace(/\.git$/, '') ?? url;

/** Checks an address and returns its stored form, without parts that git does not need. */
export async function checkAddress(
  {
    outbound,
    policy,
  }: {
    readonly outbound: Pick<Outbound, 'checkDestination'>;
    readonly policy: OutboundPolicy;
  },
  text: string,
): Promise<string> {
  const check = await outbound.checkDestination(text.trim(), policy);
  const url = check.ok ? new URL(check.url) : undefined;
  if (url === undefined || url.search !== '' || url.pathname === '/') {
    const message = check.ok ? 'The address names no repository.' : check.message;
    throw brokenRule('repository-url-not-allowed', message, [{ path: '/url', message }]);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
