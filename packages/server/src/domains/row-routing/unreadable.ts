import { conflict } from '../../platform/http/index.ts';

/** The configured keys cannot decrypt the values. */
export class RoutesUnreadable extends Error {
  override readonly name = 'RoutesUnreadable';
}

/** @throws Refusal `routes-unreadable` when the values cannot be decrypted. */
export const refusingUnreadable = <T>(read: () => Promise<T>): Promise<T> =>
  read().catch((error: unknown) => {
    if (!(error instanceof RoutesUnreadable)) throw error;
    throw conflict(
      'routes-unreadable',
      'The values that rows are routed by cannot be decrypted. Enter the routes again.',
    );
  });
