import type { DefinitionKind } from '@svc/contract';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { slugFrom } from './slug.ts';

/** A live record and its slug. */
export type SluggedRecord = {
  readonly kind: DefinitionKind;
  readonly id: number;
  readonly projectId: number | null;
  readonly slug: string;
};

type Unnamed = Omit<SluggedRecord, 'slug'> & { readonly name: string };

const gone = `delete from svc.definition_slugs s where not exists (
  select from svc.definition_records r where r.kind = s.kind and r.record_id = s.record_id)`;

/** Serialises the creation of slugs, so that two records with one name get different slugs. */
const lock = (tx: Tx) => tx.query(`select pg_advisory_xact_lock(hashtext('svc.definition_slugs'))`);

/** Returns every live record with its slug. Creates missing slugs in the order of creation of the records. */
export async function readSlugs(database: Database): Promise<SluggedRecord[]> {
  if ((await unnamed(database)).length > 0) await database.transaction(nameAll);
  const { rows } = await database.query<SluggedRecord>(
    `select s.kind, s.record_id as id, s.project_id as "projectId", s.slug
     from svc.definition_slugs s join svc.definition_records r using (kind, record_id)`,
  );
  return rows;
}

async function unnamed(executor: Executor): Promise<Unnamed[]> {
  const { rows } = await executor.query<Unnamed>(
    `select r.kind, r.record_id as id, r.project_id as "projectId", r.name from svc.definition_records r
     where not exists (select from svc.definition_slugs s where s.kind = r.kind and s.record_id = r.record_id)
     order by r.kind, r.record_id`,
  );
  return rows;
}

async function nameAll(tx: Tx): Promise<void> {
  await lock(tx);
  await tx.query(gone);
  const { rows } = await tx.query<Omit<SluggedRecord, 'id'>>(
    'select kind, project_id as "projectId", slug from svc.definition_slugs',
  );
  const taken = new Map<string, Set<string>>();
  const takenBeside = ({ kind, projectId }: Pick<SluggedRecord, 'kind' | 'projectId'>): Set<string> => {
    const key = `${kind} ${projectId}`;
    const slugs = taken.get(key) ?? new Set();
    taken.set(key, slugs);
    return slugs;
  };
  for (const row of rows) takenBeside(row).add(row.slug);
  for (const record of await unnamed(tx)) {
    const beside = takenBeside(record);
    const slug = slugFrom(record.name, record.kind, beside);
    beside.add(slug);
    await insert(tx, { ...record, slug });
  }
}

/** Returns the slug of a live record; undefined when no such record exists. */
export async function findSlug(
  database: Database,
  kind: DefinitionKind,
  id: number,
): Promise<string | undefined> {
  const find = async () => {
    const { rows } = await database.query<{ slug: string }>(
      `select s.slug from svc.definition_slugs s join svc.definition_records r using (kind, record_id)
       where s.kind = $1 and s.record_id = $2`,
      [kind, id],
    );
    return rows[0]?.slug;
  };
  const slug = await find();
  if (slug !== undefined) return slug;
  await database.transaction(nameAll);
  return find();
}

const insert = (tx: Tx, { kind, id, projectId, slug }: SluggedRecord) =>
  tx.query(
    `insert into svc.definition_slugs (kind, record_id, project_id, slug) values ($1, $2, $3, $4)
     on conflict (kind, record_id) do update set slug = excluded.slug where definition_slugs.slug <> excluded.slug`,
    [kind, id, projectId, slug],
  );

/** Sets the slug of a record. Returns false when another live record of the kind has it. */
export async function putSlug(tx: Tx, record: SluggedRecord): Promise<boolean> {
  await lock(tx);
  await tx.query(gone);
  const { rowCount } = await tx.query(
    `select from svc.definition_slugs
     where kind = $1 and project_id is not distinct from $2 and slug = $3 and record_id <> $4`,
    [record.kind, record.projectId, record.slug, record.id],
  );
  if ((rowCount ?? 0) > 0) return false;
  await insert(tx, record);
  return true;
}

/** Returns a live record and its project; undefined when it does not exist. */
export async function findRecord(
  executor: Executor,
  kind: DefinitionKind,
  id: number,
): Promise<Omit<SluggedRecord, 'slug'> | undefined> {
  const { rows } = await executor.query<Omit<SluggedRecord, 'slug'>>(
    `select kind, record_id as id, project_id as "projectId" from svc.definition_records
     where kind = $1 and record_id = $2`,
    [kind, id],
  );
  return rows[0];
}

/** Moves slug and manager of a subscription to its replacement. */
export const moveSubscriptionDefinition = async (tx: Tx, fromId: number, toId: number): Promise<void> => {
  await lock(tx);
  await tx.query(
    `update svc.definition_slugs set record_id = $2 where kind = 'Subscription' and record_id = $1`,
    [fromId, toId],
  );
};
