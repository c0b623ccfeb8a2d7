import type { DefinitionObject, Endpoint, SluggedKind } from '@svc/contract';
import * as contract from '@svc/contract';
import { accessRefusal } from '../../platform/access/index.ts';
import { conflict, forbidden } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { subjects } from './release.ts';
import type { DefinitionsDeps } from './service.ts';
import { putSlug } from './slug-store.ts';
import { readObject, requireVisible } from './visible-record.ts';

/** Endpoints whose access entries decide who changes a slug. */
const updates: Readonly<Record<SluggedKind, Endpoint>> = {
  DataSource: contract.updateDataSource,
  Recipient: contract.updateRecipient,
  MigrationJob: contract.updateMigrationJob,
  Project: contract.updateProject,
  Query: contract.updateQuery,
  Contract: contract.replaceDataContract,
  Subscription: contract.updateSubscription,
};

/** Changes the slug. Requires permission to change the record. */
export const changeSlug = async (
  deps: DefinitionsDeps,
  by: CallerActor,
  kind: SluggedKind,
  id: number,
  slug: string,
): Promise<DefinitionObject> => {
  const { database, rights, audit } = deps;
  const refusal = accessRefusal(updates[kind].access, by.caller);
  await requireVisible(deps, database, by.caller, kind, id);
  const before = await readObject(database, kind, id);
  if (refusal) throw forbidden('permission-required', refusal.detail ?? refusal.title);
  if (before.slug === slug) return before;
  await database.transaction(async (tx) => {
    const record = await requireVisible(deps, tx, by.caller, kind, id);
    if (record.projectId !== null) await rights.require(tx, by.caller, record.projectId, 'Write');
    await assertUnmanaged(tx, by, kind, id);
    const projectId = kind === 'Project' ? null : record.projectId;
    if (!(await putSlug(tx, { kind, id, projectId, slug })))
      throw conflict('slug-taken', 'Another record of this kind has this slug.', [
        { path: '/slug', message: 'is taken' },
      ]);
    await audit.record(tx, {
      event: 'definitions.slug_changed',
      by,
      subject: { kind: subjects[kind], id },
      ...(record.projectId !== null && { projectId: record.projectId }),
      detail: { slug, slugBefore: before.slug },
    });
  });
  return readObject(database, kind, id);
};
