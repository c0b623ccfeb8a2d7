import type { Delivery, NotificationDetail } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { FailedQuery } from './failed-query.tsx';
import classes from './what-went-wrong.module.css';

/** Returns the last attempt for each recipient that did not receive the message. */
function unreached({ deliveries }: NotificationDetail): readonly Delivery[] {
  const last = new Map<number, Delivery>();
  for (const delivery of deliveries) {
    const previous = last.get(delivery.recipientId);
    if (!previous || previous.attempt < delivery.attempt) last.set(delivery.recipientId, delivery);
  }
  return [...last.values()].filter(({ state }) => state === 'Failed' || state === 'Unknown');
}

/** Replaces recipient ids in a comment of the service by names. */
function withNames(comment: string, { deliveries }: NotificationDetail): string {
  const names = new Map(deliveries.map(({ recipientId, recipientName }) => [recipientId, recipientName]));
  return comment.replaceAll(/\bRecipient (\d+)\b/g, (text, id: string) => names.get(Number(id)) ?? text);
}

/** Reason for the result of a run: each affected recipient by name, the failure, and the next step. */
export function WhatWentWrong({ record }: { readonly record: NotificationDetail }) {
  const { canWrite } = useRights();
  if (record.failure !== null) return <FailedQuery failure={record.failure} queryId={record.queryId} />;
  if (record.comment === null) return null;
  const failed = unreached(record);
  const isQuery = failed.length === 0 && (record.status === 'Failed' || record.status === 'Timeout');
  return (
    <section className={classes['comment']} aria-label="What happened">
      {failed.length === 0 ? (
        <p>
          {withNames(record.comment, record)}{' '}
          {isQuery && canWrite && record.queryId !== null && (
            <Link to={paths.editQuery(record.queryId)}>Open the query</Link>
          )}
        </p>
      ) : (
        <ul>
          {failed.map((delivery) => (
            <li key={delivery.id}>
              <strong>{delivery.recipientName}</strong>: {delivery.reason} {delivery.remedy}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
