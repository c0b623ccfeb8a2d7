import { count as formatCount, plural } from '@svc/contract/wording';
import { isShareAllowed, type WriteCounts, type WritePlan, WriteRefusal } from '../../writers/port.ts';
import type { MysqlColumn } from './describe.ts';
import { quoted, quotedList, quotedTable } from './names.ts';
import type { WritingSession } from './session.ts';

type Session = Pick<WritingSession, 'rows' | 'run'>;
type Tables = { readonly staging: string; readonly target: string };

/** Moves the staged rows into the destination according to the mode. The transaction has begun. */
export async function applyRows(
  session: Session,
  plan: WritePlan,
  columns: readonly MysqlColumn[],
  staging: string,
): Promise<WriteCounts> {
  const tables = { staging, target: quotedTable(plan.destination) };
  switch (plan.mode) {
    case 'Insert':
      return counts({ inserted: await insertAll(session, plan, tables) });
    case 'Truncate': {
      // `TRUNCATE` would commit implicitly.
      const { affectedRows: deleted } = await session.run(`delete from ${tables.target}`);
      return counts({ inserted: await insertAll(session, plan, tables), deleted });
    }
    case 'Upsert':
      await assertKeys(session, plan, tables);
      return upsert(session, plan, columns, tables);
    case 'Sync': {
      await assertKeys(session, plan, tables);
      // The lock prevents other sessions from adding or deleting rows during the comparison.
      const before = await count(session, `select count(*) as n from ${tables.target} for update`);
      const deleted = await deleteMissing(session, plan, tables);
      assertDeletedShare(deleted, before, plan.deletedShareMax);
      return { ...(await upsert(session, plan, columns, tables)), deleted };
    }
  }
}

const counts = (some: Partial<WriteCounts>): WriteCounts => ({
  inserted: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  ...some,
});

async function insertAll(session: Session, plan: WritePlan, { staging, target }: Tables): Promise<number> {
  const names = quotedList(plan.columns.map(({ to }) => to));
  const { affectedRows } = await session.run(
    `insert into ${target} (${names}) select ${names} from ${staging}`,
  );
  return affectedRows;
}

async function count(session: Session, sql: string): Promise<number> {
  const [row] = await session.rows<{ n: string | number }>(sql);
  return Number(row?.n ?? 0);
}

/** Refuses NULL keys: NULL equals no other key, so each copy would insert the row again. */
export async function assertKeys(
  session: Session,
  { keyColumns }: WritePlan,
  { staging }: Pick<Tables, 'staging'>,
): Promise<void> {
  const keys = quotedList(keyColumns);
  const isNull = keyColumns.map((name) => `${quoted(name)} is null`).join(' or ');
  if ((await session.rows(`select 1 from ${staging} where ${isNull} limit 1`)).length > 0) {
    throw new WriteRefusal('key-not-unique', `A row of the source has no value in a key column (${keys}).`);
  }
  const doubled = `select 1 from ${staging} group by ${keys} having count(*) > 1 limit 1`;
  if ((await session.rows(doubled)).length > 0) {
    throw new WriteRefusal('key-not-unique', `Two rows of the source have the same key (${keys}).`);
  }
}

const sameKey = ({ keyColumns }: WritePlan): string =>
  keyColumns.map((name) => `s.${quoted(name)} = t.${quoted(name)}`).join(' and ');

/** Compares only the key: `ON DUPLICATE KEY` would change a row with an equal value in any other unique key. */
async function upsert(
  session: Session,
  plan: WritePlan,
  columns: readonly MysqlColumn[],
  { staging, target }: Tables,
): Promise<WriteCounts> {
  const names = plan.columns.map(({ to }) => to);
  const changing = columns.filter(({ name }) => !plan.keyColumns.includes(name));
  const [key = ''] = plan.keyColumns;
  const all = await count(session, `select count(*) as n from ${staging}`);
  let updated = 0;
  if (changing.length > 0) {
    const sets = changing.map(({ name }) => `t.${quoted(name)} = s.${quoted(name)}`).join(', ');
    ({ affectedRows: updated } = await session.run(
      `update ${target} t join ${staging} s on ${sameKey(plan)} set ${sets}
        where ${changing.map(isDifferent).join(' or ')}`,
    ));
  }
  const { affectedRows: inserted } = await session.run(
    `insert into ${target} (${quotedList(names)}) select ${quotedList(names, 's.')} from ${staging} s
      left join ${target} t on ${sameKey(plan)} where t.${quoted(key)} is null`,
  );
  return counts({ inserted, updated, unchanged: all - inserted - updated });
}

/** Compares texts by their bytes: a collation may ignore case or accents. */
function isDifferent({ name, kind, dataType }: MysqlColumn): string {
  const isText = kind === 'text' && dataType !== 'enum' && dataType !== 'set';
  const side = (table: string) =>
    isText ? `cast(${table}.${quoted(name)} as binary)` : `${table}.${quoted(name)}`;
  return `not (${side('t')} <=> ${side('s')})`;
}

async function deleteMissing(
  session: Session,
  plan: WritePlan,
  { staging, target }: Tables,
): Promise<number> {
  const [key = ''] = plan.keyColumns;
  const { affectedRows } = await session.run(
    `delete t from ${target} t left join ${staging} s on ${sameKey(plan)} where s.${quoted(key)} is null`,
  );
  return affectedRows;
}

function assertDeletedShare(deleted: number, before: number, shareMax: number): void {
  if (isShareAllowed(deleted, before, shareMax)) return;
  throw new WriteRefusal(
    'too-many-deletes',
    `${formatCount(deleted)} of ${plural(before, 'row')} would be deleted, which is more than the share of ${shareMax} that is allowed.`,
  );
}
