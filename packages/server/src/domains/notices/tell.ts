import type { Jobs } from '@svc/jobs';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { orderMails } from './mails.ts';
import { findReaders, findResponsible } from './responsible.ts';
import { standInFact } from './stand-in.ts';
import { insertNotices, lockSubject, type NewNotice } from './store.ts';
import { permissionOf, type Subject, subjects } from './subjects.ts';

/**
 * Notifies the users who are responsible for a subject, in the transaction of the event. These are the owner, or other
 * users if the owner cannot be notified.
 */
export type TellResponsible = (
  tx: Tx,
  notice: NewNotice & {
    /** True when the last notice of this kind said the same: only users who did not receive it get this one. */
    readonly isRepetition: boolean;
  },
) => Promise<void>;

/** Notifies followers of a subject. Users who may not read it receive no notice. */
export type TellPeople = (tx: Tx, notice: NewNotice, userIds: readonly number[]) => Promise<void>;

export type TellDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly rights: ProjectRights;
  readonly jobs: Jobs;
  readonly hasMail: boolean;
  /** Announces new notices to readers with an open page, in the transaction that stores the notices. */
  readonly noticesCreated: (
    tx: Tx,
    kind: NewNotice['kind'],
    createdNotices: readonly { readonly noticeId: number; readonly userId: number }[],
  ) => Promise<void>;
};

/** Returns true for kinds that must reach a reader. If their reader may not see them, responsible users get them. */
const forResponsible = (kind: NewNotice['kind']): boolean =>
  !kind.startsWith('Task') || kind === 'TaskOpened' || kind === 'TaskOverdue';

/** Creates the functions that store notices. */
export function createTell(deps: TellDeps) {
  const { rights } = deps;

  const store = async (
    tx: Tx,
    addressed: { readonly notice: NewNotice; readonly subject: Subject; readonly userIds: readonly number[] },
    knows: 'nobody' | 'of this' | 'the last',
  ): Promise<void> => {
    const { notice, subject, userIds } = addressed;
    const createdNotices = await insertNotices(tx, userIds, notice, subject, knows);
    await deps.noticesCreated(tx, notice.kind, createdNotices);
    if (deps.hasMail) await orderMails(tx, deps.jobs, notice, createdNotices);
  };

  /** Stores a notice for each user who is responsible now and has no equal notice. Enqueues the mails. */
  const toResponsible = async (
    tx: Tx,
    notice: NewNotice,
    knows: 'nobody' | 'of this' | 'the last',
  ): Promise<void> => {
    const { kind, subject: key } = notice;
    const subject = await subjects[key.kind]?.(tx, key.id);
    if (!subject) return;
    const { userIds, standsIn } = await findResponsible(tx, rights, subject, permissionOf[key.kind]);
    if (userIds.length === 0)
      deps.log.warn({ kind, subject: key }, 'nobody who may read something could be told of it');
    const { [standInFact]: _before, ...otherFacts } = notice.facts;
    const facts = standsIn ? { ...otherFacts, [standInFact]: true } : otherFacts;
    await store(tx, { notice: { ...notice, facts }, subject, userIds }, knows);
  };

  return {
    toResponsible,

    toPeople: (async (tx, notice, userIds) => {
      const subject = await subjects[notice.subject.kind]?.(tx, notice.subject.id);
      if (!subject || subject.projectId === null) return;
      const readers = await findReaders(tx, rights, subject.projectId, userIds);
      await store(tx, { notice, subject, userIds: readers }, 'nobody');
    }) satisfies TellPeople,

    /**
     * Passes a notice that its reader may no longer see to the users who are responsible now. Mails about one subject
     * are serialized.
     */
    instead: async (notice: NewNotice): Promise<void> => {
      if (!forResponsible(notice.kind)) return;
      await deps.database.transaction(async (tx) => {
        await lockSubject(tx, notice.subject);
        await toResponsible(tx, notice, 'of this');
      });
    },
  };
}
