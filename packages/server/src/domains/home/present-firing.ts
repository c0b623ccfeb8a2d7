import type { FiringItem } from '@svc/contract';
import { commentOf } from '../run-history/index.ts';
import type { FiringRow } from './firing-store.ts';

/** Converts a current problem to the API format. */
export const presentFiring = (row: FiringRow): FiringItem => {
  const acknowledgement = row.alert?.acknowledgement ?? null;
  return {
    kind: row.kind,
    name: row.name,
    projectId: row.projectId,
    projectName: row.projectName,
    subscriptionId: row.subscriptionId,
    contractId: row.contractId,
    since: row.since.toISOString(),
    notificationId: row.runId,
    rowCount: row.rowCount,
    hasRows: row.hasRows,
    comment: commentOf({ reason: row.reason, detail: row.reasonDetail }),
    hasAlert: row.alert !== null,
    acknowledgement: acknowledgement && {
      ...acknowledgement,
      at: new Date(acknowledgement.at).toISOString(),
    },
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    timeZone: row.timeZone,
  };
};
