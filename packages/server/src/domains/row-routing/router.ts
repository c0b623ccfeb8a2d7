import {
  type FingerprintRequest,
  fingerprintBytes,
  type RunBatch,
  routeFingerprint,
} from '../../doors/run-sql/index.ts';
import type { KeyRing } from '../../platform/crypto/index.ts';

/** Stands for the place of a row that nobody gets. */
export const nobody = -1;

/** Says which recipient gets which row of a result, by the true cell of one column. */
export type RowRouter = {
  readonly column: string;
  /** Recipients that can get rows, in one order: their places. */
  readonly recipientIds: readonly number[];
  /** What the run-SQL door is asked for where nothing else is fingerprinted. */
  readonly fingerprints: FingerprintRequest;
  /** The place of the recipient of each row, or `nobody`. */
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
  // What was meant for a recipient that is gone goes to nobody else.
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
