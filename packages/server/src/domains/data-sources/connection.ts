import { type Connector, ConnectorError, type Connectors } from '@svc/connectors';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import { badRequest, conflict, Refusal } from '../../platform/http/index.ts';

/** Key ring and randomness that encrypt connections at rest. */
export type Vault = { readonly keys: KeyRing; readonly random: Randomness };

const locationOf = (id: number) => ({ table: 'data_sources', column: 'connection_sealed', rowId: id });

/** Encrypts a complete connection and binds the envelope to the row that stores it. */
export const sealConnection = ({ keys, random }: Vault, id: number, connection: unknown): string =>
  seal(keys, JSON.stringify(connection), locationOf(id), random);

/** Returns the decrypted connection; undefined when the key is unknown or the envelope belongs to another row. */
export function openConnection(
  { keys }: Vault,
  id: number,
  sealed: string,
): Record<string, unknown> | undefined {
  const result = open(keys, sealed, locationOf(id));
  // Only `sealConnection` writes envelopes, and it writes objects.
  return result.ok ? (JSON.parse(result.secret.reveal()) as Record<string, unknown>) : undefined;
}

/** Returns a 409 refusal for a source whose stored connection cannot be decrypted. */
export const connectionUnreadable = (name: string): Refusal =>
  conflict(
    'connection-unreadable',
    `The stored connection of the data source ${name} cannot be read any more. Enter it again.`,
  );

/**
 * Returns the engine's connector.
 *
 * @throws Refusal 400 for an unknown engine.
 */
export function connectorFor(connectors: Connectors, engine: string): Connector {
  const match = connectors.engines.find((name) => name.toLowerCase() === engine.trim().toLowerCase());
  if (match !== undefined) return connectors.get(match);
  const message = `must be one of ${connectors.engines.join(', ')}`;
  throw badRequest('unknown-engine', `The engine ${message}.`, [{ path: '/engine', message }]);
}

/**
 * Parses connection settings.
 *
 * @throws Refusal 400 with each invalid field.
 */
export function parseConnection(connector: Connector, input: unknown): Record<string, unknown> {
  try {
    // Connection forms are object schemas, so the parsed value is an object.
    return connector.settings.parse(input) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ConnectorError) throw refusedConnection(error);
    throw error;
  }
}

/**
 * Maps a connector's refusal of settings, destination or login to a 400 refusal.
 *
 * @param remedy  Text that the user can copy to correct the problem.
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

/**
 * Returns SQL that creates a read-only role in the connection's database; null for an engine that accepts every login.
 */
export function roleScriptFor(
  { roleScript }: Connector,
  connection: Readonly<Record<string, unknown>>,
): string | null {
  // In engines with several catalogs, the catalog contains the schemas.
  const { catalog, database = catalog } = connection;
  return roleScript && typeof database === 'string' ? roleScript(database) : null;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Merges changes into a stored connection. Null resets a member to its default; an absent member retains its value. A
 * stored secret is never sent to a new place: when any other setting changes, the input must contain every stored
 * secret (400 otherwise).
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

/** Returns the names of stored secret settings. Their values are never returned. */
export const savedSecrets = (
  { settings }: Connector,
  connection: Readonly<Record<string, unknown>>,
): string[] => settings.secretFields.filter((name) => isSet(connection[name]));
