import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptSecret, openAdminClient } from '@svc/server/built-in-database';
import type pg from 'pg';

/** Connection of the demo's read-only role to the shop database. */
export type ShopDatabase = {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
};

/** Connection of the demo's writer to the reports database. */
export type ReportsDatabase = ShopDatabase;

const database = 'demo_shop';
const reader = 'demo_reader';

/**
 * The shop: fixed customers and products, and orders computed from the time of day, so that new orders appear without
 * writes. The reader's role may read these tables and connect to no other database.
 */
const shopSql = `
  create table customers (id integer primary key, name text not null, email text not null, country text not null);
  insert into customers
    select n, (array['Ada','Bo','Chidi','Dara','Eva','Femi','Gita','Hugo','Ines','Jun'])[1 + n % 10] || ' ' ||
      (array['Novak','Okafor','Silva','Tanaka','Umar','Varga','Weber'])[1 + n % 7],
      'customer' || n || '@shop.example', (array['HR','DE','NG','BR','JP'])[1 + n % 5]
    from generate_series(1, 200) n;
  create table products (id integer primary key, name text not null, price numeric(8,2) not null);
  insert into products
    select n, (array['Lamp','Chair','Desk','Shelf','Mug','Plant','Clock','Rug'])[1 + n % 8] || ' No. ' || n, 5 + (n * 37 % 200)
    from generate_series(1, 40) n;
  create view orders as
    select extract(epoch from placed)::bigint / 60 as id, placed as placed_at,
      1 + (extract(epoch from placed)::bigint / 60 * 7919) % 200 as customer_id,
      1 + (extract(epoch from placed)::bigint / 60 * 104729) % 40 as product_id,
      1 + (extract(epoch from placed)::bigint / 60) % 4 as quantity,
      case when (extract(epoch from placed)::bigint / 60) % 11 = 0 then 'Delayed'
           when placed > now() - interval '2 hours' then 'Open' else 'Shipped' end as status
    from generate_series(date_trunc('minute', now()) - interval '14 days', now(), interval '7 minutes') placed;
`;

const targetsCsv = 'country,monthly_target\nHR,9000\nDE,12000\nNG,7000\nBR,8000\nJP,10000\n';

/** Creates the shop database once, and a role that may only read it. */
export async function ensureShopDatabase(options: {
  admin: (database: string) => pg.ClientConfig;
  loopbackPort: number;
  dataDirectory: string;
}): Promise<ShopDatabase> {
  const { value: password } = keptSecret(options.dataDirectory, 'demo-reader-password');
  await asAdmin(options.admin('postgres'), (client) =>
    ensureDatabaseOf(client, { name: database, role: reader, password }),
  );
  await asAdmin(options.admin(database), async (client) => {
    const made = await client.query("select to_regclass('shop.orders') is not null as made");
    if (made.rows[0].made === true) return;
    const steps = `begin; create schema shop; set local search_path = shop; ${shopSql}
      revoke all on schema public from public;
      grant usage on schema shop to ${reader}; grant select on all tables in schema shop to ${reader};
      alter role ${reader} in database ${database} set search_path = shop; commit;`;
    await client.query(steps);
  });
  return { host: '127.0.0.1', port: options.loopbackPort, database, user: reader, password };
}

const reportsDatabase = 'demo_reports';
const writer = 'demo_writer';

/**
 * Creates the reports database once, and a role that may create tables in one of its schemas and access nothing else.
 */
export async function ensureReportsDatabase(options: {
  admin: (database: string) => pg.ClientConfig;
  loopbackPort: number;
  dataDirectory: string;
}): Promise<ReportsDatabase> {
  const { value: password } = keptSecret(options.dataDirectory, 'demo-writer-password');
  await asAdmin(options.admin('postgres'), (client) =>
    ensureDatabaseOf(client, { name: reportsDatabase, role: writer, password }),
  );
  await asAdmin(options.admin(reportsDatabase), async (client) => {
    await client.query(`revoke all on schema public from public; create schema if not exists reports;
      grant usage, create on schema reports to ${writer}`);
  });
  return { host: '127.0.0.1', port: options.loopbackPort, database: reportsDatabase, user: writer, password };
}

/** Creates a role that may connect to one database, and revokes access to this database from all other roles. */
async function ensureDatabaseOf(
  client: pg.Client,
  { name, role, password }: { readonly name: string; readonly role: string; readonly password: string },
): Promise<void> {
  const existingRoles = await client.query('select from pg_roles where rolname = $1', [role]);
  if (existingRoles.rowCount === 0) {
    await client.query(
      `create role ${role} login password ${client.escapeLiteral(password)} connection limit 20`,
    );
  }
  const existing = await client.query('select from pg_database where datname = $1', [name]);
  if (existing.rowCount === 0) {
    await client.query(`create database ${name}`);
    await client.query(`revoke all on database ${name} from public`);
    await client.query(`grant connect on database ${name} to ${role}`);
  }
}

async function asAdmin(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = openAdminClient(connection);
  await client.connect();
  await work(client).finally(() => client.end());
}

/** Writes the demo's second source, a file of sales targets. Returns its path. */
export function ensureTargetsFile(dataDirectory: string): string {
  const file = path.resolve(dataDirectory, 'files', 'demo-sales-targets.csv');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, targetsCsv);
  return file;
}
