import { type Connector, ConnectorError, type Connectors } from '@svc/connectors';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import { badRequest, conflict, Refusal } from '../../platform/http/index.ts';

/** What encrypts connections at rest. */
export type Vault = { readonly keys: KeyRing; readonly random: Randomness };

const locationOf = (id: number) => ({ table: 'data_sources', column: 'connection_sealed', rowId: id });

/** Encrypts a whole connection, bound to the row that keeps it. */
export const sealConnection = ({ keys, random }: Vault, id: number, connection: unknown): string =>
  seal(keys, JSON.stringify(connection), locationOf(id), random);

/** The connection, or undefined when the envelope does not open: another key, or not what was sealed here. */
export function openConnection(
  { keys }: Vault,
  id: number,
  sealed: string,
): Record<string, unknown> | undefined {
  const result = open(keys, sealed, locationOf(id));
  // Only `sealConnection` writes envelopes, and it writes objects.
  return result.ok ? (JSON.parse(result.secret.reveal()) as Record<string, unknown>) : undefined;
}

/** 409 for a source whose stored connection does not open. */
export const connectionUnreadable = (name: string): Refusal =>
  conflict(
    'connection-unreadable',
    `The stored connection of the data source ${name} cannot be read any more. Enter it again.`,
  );

/** The engine's connector; 400 for a name that is none. */
export function connectorFor(connectors: Connectors, engine: string): Connector {
  const known = connectors.engines.find((name) => name.toLowerCase() === engine.trim().toLowerCase());
  if (known !== undefined) return connectors.get(known);
  const message = `must be one of ${connectors.engines.join(', ')}`;
  throw badRequest('unknown-engine', `The engine ${message}.`, [{ path: '/engine', message }]);
}

/** Parses the settings; 400 naming each field that is wrong. */
export function parseConnection(connector: Connector, input: unknown): Record<string, unknown> {
  try {
    // Forms are object schemas: what they have parsed is an object.
    return connector.settings.parse(input) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ConnectorError) throw refusedConnection(error);
    throw error;
  }
}

/**
 * A connector's refusal of settings, of where they lead or of who signs in, as 400.
 *
 * @param remedy  text to copy that mends it.
 */
export const refusedConnection = (
  error: Pick<ConnectorError, 'code' | 'message'> & Partial<Pick<ConnectorError, 'fields'>>,
  remedy?: string | null,
): Refusal =>
  new Refusal(error.code, {
    detail: error.message,
    errors: (error.fields ?? []).map(({ field, message }) => ({
      path: `/connection/${field.replaceAll('.', '/')}`,
      message,
    })),
    ...(remedy && { remedy }),
  });

/** The SQL of a role that may only read in the connection's database; null for an engine that refuses no login. */
export function roleScriptFor(
  { roleScript }: Connector,
  connection: Readonly<Record<string, unknown>>,
): string | null {
  // What holds the schemas is a catalog where an engine has several of them.
  const { catalog, database = catalog } = connection;
  return roleScript && typeof database === 'string' ? roleScript(database) : null;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * A stored connection with changes laid over it: a member that is null goes back to its default, one that is absent
 * stays. A stored secret never goes to a new place: as soon as any other setting differs, every secret that is kept
 * must be sent again (400 otherwise).
 */
export function changeConnection(
  connector: Connector,
  stored: Record<string, unknown> | undefined,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const laidOver = Object.entries({ ...stored, ...input }).filter(([, value]) => value !== null);
  const changed = parseConnection(connector, Object.fromEntries(laidOver));
  if (!stored) return changed;
  const { secretFields } = connector.settings;
  const names = new Set([...Object.keys(stored), ...Object.keys(changed)]);
  const isElsewhere = [...names].some(
    (name) => !secretFields.includes(name) && JSON.stringify(stored[name]) !== JSON.stringify(changed[name]),
  );
  const missing = secretFields.filter((name) => isSet(stored[name]) && !Object.hasOwn(input, name));
  if (!isElsewhere || missing.length === 0) return changed;
  throw badRequest(
    'secret-required',
    `The connection changes, so enter ${missing.join(' and ')} again: what is saved is not sent anywhere else.`,
    missing.map((name) => ({ path: `/connection/${name}`, message: 'must be entered again' })),
  );
}

/** Names of the settings that are saved but never shown. */
export const savedSecrets = (
  { settings }: Connector,
  connection: Readonly<Record<string, unknown>>,
): string[] => settings.secretFields.filter((name) => isSet(connection[name]));
