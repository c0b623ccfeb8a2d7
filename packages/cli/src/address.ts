import { CommandFailure } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * The address of a service as it is remembered: without the `/svc` of its pages.
 *
 * @throws CommandFailure when it is none.
 */
export function baseOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new CommandFailure(
      'Give the address of the service, such as https://data.example.org, without name, password or query.',
      exitCodes.usage,
    );
  return url.origin + url.pathname.replace(/(?:\/svc)?\/*$/, '');
}
