import {
  type FingerprintRequest,
  fingerprintBytes,
  type RunBatch,
  routeFingerprint,
} from '../../gateways/run-sql/index.ts';
import type { KeyRing } from '../../platform/crypto/index.ts';

/** Place of a row without a recipient. */
export const nobody = -1;

/** Assigns the rows of a result to recipients, by the unmasked cell of one column. */
export type RowRouter = {
  readonly column: string;
  /** Recipients that can get rows, in ascending order. A place is an index in this list. */
  readonly recipientIds: readonly number[];
  /** Fingerprint request for the run-SQL gateway, if nothing else needs fingerprints. */
  readonly fingerprints: FingerprintRequest;
  /** Returns the place of the recipient of each row; -1 for a row without a recipient. */
  readonly placesOf: (batch: RunBatch) => number[];
};

export function createRowRouter(
  keys: KeyRing,
  domain: number,
  rule: {
    readonly column: string;
    readonly routes: readonly {
      readonly value: string;
      readonly recipientId: number;
      readonly isArchived: boolean;
    }[];
    readonly fallbackRecipientId: number | null;
  },
): RowRouter {
  const live = rule.routes.filter(({ isArchived }) => !isArchived).map(({ recipientId }) => recipientId);
  const { fallbackRecipientId } = rule;
  const recipientIds = [
    ...new Set(fallbackRecipientId === null ? live : [...live, fallbackRecipientId]),
  ].sort((one, other) => one - other);
  const places = new Map(recipientIds.map((id, place) => [id, place]));
  const unmatched = fallbackRecipientId === null ? nobody : (places.get(fallbackRecipientId) ?? nobody);
  // Rows for an archived recipient go to no other recipient.
  const placeOfCode = new Map(
    rule.routes.map(({ value, recipientId, isArchived }) => [
      routeFingerprint(keys, domain, value).toString('latin1'),
      isArchived ? nobody : (places.get(recipientId) ?? nobody),
    ]),
  );
  const keyId = keys.current.id;

  return {
    column: rule.column,
    recipientIds,
    fingerprints: { domain, keyColumns: [], watchedColumns: [], routeColumn: rule.column },
    placesOf: ({ rowCount, fingerprints }) => {
      const codes = fingerprints?.find((each) => each.keyId === keyId)?.routes;
      if (!codes) throw new Error('A batch came without the fingerprints that were asked for.');
      return Array.from({ length: rowCount }, (_, row) => {
        const start = row * fingerprintBytes.route;
        return placeOfCode.get(codes.toString('latin1', start, start + fingerprintBytes.route)) ?? unmatched;
      });
    },
  };
}
