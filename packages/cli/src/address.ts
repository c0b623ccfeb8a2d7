import { serviceAddress } from '@svc/client';
import { CommandFailure } from './context.ts';
import { exitCodes } from './exit-codes.ts';

/**
 * Returns the stored form of a service address: without the `/svc` of its pages.
 *
 * @throws CommandFailure for an invalid address.
 */
export function baseOf(address: string): string {
  try {
    return serviceAddress(address);
  } catch {
    throw new CommandFailure(
      'Give the address of the service, such as https://data.example.org, without name, password or query.',
      exitCodes.usage,
    );
  }
}
