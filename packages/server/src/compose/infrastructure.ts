import type { EmailAdapter } from '@svc/channels';
import type pg from 'pg';
import { type Audit, createAudit } from '../domains/audit/index.ts';
import type { MembershipSource, PrincipalOf } from '../domains/host-sign-in/index.ts';
import { refuseLostKey } from '../domains/secrets/index.ts';
import { requireUsableDatabase } from '../operations/doctor/require.ts';
import { applyMigrations } from '../operations/migrate.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { readSystemProxy } from '../platform/config/index.ts';
import {
  createKeyRing,
  type KeyRing,
  type Randomness,
  randomToken,
  systemRandomness,
} from '../platform/crypto/index.ts';
import { createDatabase, createRoom, type Database, openPool, type Room } from '../platform/db/index.ts';
import { createLog, type Logger } from '../platform/log/index.ts';
import { createOutbound, type Outbound } from '../platform/outbound/index.ts';
import { createTelemetry, type Telemetry } from '../platform/telemetry/index.ts';
import type { SvcOptions } from '../svc.ts';
import { migrationLog } from './database/migration-log.ts';
import { openStandby, type Standby } from './database/read-replica.ts';
import type { Module } from './module.ts';
import { readSettings, type Settings } from './settings/index.ts';

/**
 * Infrastructure of every module: settings, the metadata database, the outbound gateway, time, keys, and the host's
 * hooks.
 */
export type Infrastructure = Module &
  Standby & {
    readonly settings: Settings;
    /** Connection for dedicated sessions of modules, outside the pool. */
    readonly connection: pg.ClientConfig;
    /** Disk-space state of the metadata database. */
    readonly room: Room;
    readonly clock: Clock;
    readonly random: Randomness;
    readonly log: Logger;
    readonly keys: KeyRing;
    /** True for a configured key, which outlives the process. A generated key does not. */
    readonly hasConfiguredKey: boolean;
    readonly outbound: Outbound;
    readonly audit: Audit;
    readonly email: EmailAdapter | undefined;
    readonly inbox: SvcOptions['inbox'];
    /** Metrics and traces; undefined unless the host enables them. */
    readonly telemetry: Telemetry | undefined;
    /** The host's own authentication. It precedes every other method. */
    readonly principal: PrincipalOf | undefined;
    /** Source of the project memberships of the host's principals. */
    readonly memberships: MembershipSource | undefined;
  };

/**
 * Opens the infrastructure: reads the settings, then brings the database's schema up to date.
 *
 * @throws Error that names the key of an invalid setting, before anything is opened.
 */
export async function openInfrastructure(options: SvcOptions): Promise<Infrastructure> {
  const { config } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config['Svc:Logging:Level']);
  const settings = readSettings(config, log);
  const random = systemRandomness;
  const encryptionKey = config['Svc:EncryptionKey'];
  if (!options.isDatabaseChecked) await requireUsableDatabase(options.database);
  await applyMigrations(options.database, options.onMigration ?? migrationLog(log));
  const room = createRoom();
  const primary = await openDatabase(options, log, room);
  const standby = openStandby(options.config, primary, log);
  const outbound = createOutbound({
    trustedCertificates: settings.trustedCertificates,
    proxy: options.systemProxy ?? readSystemProxy(),
    log: (detail) => log.warn({ ...detail }, 'a connection to the outside failed'),
  });
  return {
    settings,
    connection: options.database,
    ...standby,
    room,
    clock,
    random,
    log,
    keys: createKeyRing({
      // Without a configured key, sealed values are unreadable after the end of the process.
      encryptionKey: encryptionKey ?? randomToken(random),
      previousEncryptionKeys: config['Svc:PreviousEncryptionKeys'],
    }),
    hasConfiguredKey: encryptionKey !== undefined,
    outbound,
    audit: createAudit(clock),
    email: options.email,
    inbox: options.inbox,
    telemetry: options.telemetry && createTelemetry(options.telemetry),
    principal: options.principal,
    memberships: options.memberships,
    sweep: async () => standby.lateReads?.sweep(),
    start: () => standby.replica?.start(),
    close: async () => {
      await outbound.close();
      await standby.replica?.close();
      await primary.pool.end();
    },
  };
}

/** Opens the pool. Refuses a start without a key on a database with secrets. */
async function openDatabase(
  { config, database: connection }: SvcOptions,
  log: Logger,
  room: Room,
): Promise<Database> {
  const pool = openPool({
    connection,
    max: config['Svc:Database:PoolSize'],
    onLost: (error) => log.warn({ err: error }, 'a connection to the metadata database was lost'),
    onFull: () => {
      if (!room.isFull())
        log.error('the disk of the metadata database is full: nothing is written until there is room');
      room.noteFull();
    },
  });
  try {
    const database = createDatabase(pool);
    if (config['Svc:EncryptionKey'] === undefined) await refuseLostKey(database);
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Returns true if projects can have members: stored users, or users of the host. Otherwise no project can be
 * restricted.
 */
export const hasMembers = ({ settings, memberships }: Infrastructure): boolean =>
  settings.users.areStored || memberships !== undefined;
