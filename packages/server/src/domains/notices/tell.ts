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
 * Tells whoever answers for something, in the transaction of what it is about: the owner, or who stands in where
 * the owner cannot be told.
 */
export type TellResponsible = (
  tx: Tx,
  notice: NewNotice & {
    /** True when the last notice of this kind said the same: only those hear it who did not hear that one. */
    readonly isRepetition: boolean;
  },
) => Promise<void>;

/** Tells people who follow something; those who may not read it hear nothing. */
export type TellPeople = (tx: Tx, notice: NewNotice, userIds: readonly number[]) => Promise<void>;

export type TellDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly rights: ProjectRights;
  readonly jobs: Jobs;
  readonly hasMail: boolean;
  /** Tells readers who are at their pages, in the transaction of the notices. */
  readonly noticesCreated: (
    tx: Tx,
    kind: NewNotice['kind'],
    made: readonly { readonly noticeId: number; readonly userId: number }[],
  ) => Promise<void>;
};

/** Kinds that somebody has to hear: where their reader cannot any more, those who answer for the subject do. */
const forResponsible = (kind: NewNotice['kind']): boolean =>
  !kind.startsWith('Task') || kind === 'TaskOpened' || kind === 'TaskOverdue';

/** The ways in which notices are made. */
export function createTell(deps: TellDeps) {
  const { rights } = deps;

  const store = async (
    tx: Tx,
    told: { readonly notice: NewNotice; readonly subject: Subject; readonly userIds: readonly number[] },
    knows: 'nobody' | 'of this' | 'the last',
  ): Promise<void> => {
    const { notice, subject, userIds } = told;
    const made = await insertNotices(tx, userIds, notice, subject, knows);
    await deps.noticesCreated(tx, notice.kind, made);
    if (deps.hasMail) await orderMails(tx, deps.jobs, notice, made);
  };

  /** Stores a notice for everybody who answers for its subject now and does not know, and orders their mails. */
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
    const { [standInFact]: _before, ...own } = notice.facts;
    const facts = standsIn ? { ...own, [standInFact]: true } : own;
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

    /** Tells what somebody can no longer be told to those who answer for it now; the mails of several take turns. */
    instead: async (notice: NewNotice): Promise<void> => {
      if (!forResponsible(notice.kind)) return;
      await deps.database.transaction(async (tx) => {
        await lockSubject(tx, notice.subject);
        await toResponsible(tx, notice, 'of this');
      });
    },
  };
}
