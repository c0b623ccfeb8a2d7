import type { Batch, Cell } from '@svc/connectors';
import { createRowMac, type KeyRing, type RowMac } from '../../../platform/crypto/index.ts';
import { RunSqlRefusal } from '../refusal.ts';
import type { FingerprintRequest, RowFingerprints, RunColumn } from '../request.ts';

/** Sizes of fingerprints in bytes. */
export const fingerprintBytes = { key: 16, content: 8, route: 16 } as const;

/** Computes fingerprints of the original cells of a batch, before masking. */
export type Fingerprinter = {
  /** Requested columns that the result does not have. If there is one, no fingerprints are made. */
  readonly missingColumns: readonly string[];
  readonly of: (batch: Batch) => readonly RowFingerprints[];
};

/** Returns the fingerprint of a route value that a user entered as text. A number and its text have the same fingerprint. */
export function routeFingerprint(ring: KeyRing, domain: number, value: string): Buffer {
  const mac = createRowMac(ring.current.derive('row-memory'), domain);
  return routeCode(mac, value);
}

function routeCode(mac: RowMac, value: Cell): Buffer {
  mac.begin('route');
  mac.add(value === null ? null : String(value));
  return mac.end(fingerprintBytes.route);
}

/**
 * Creates the fingerprinter of one result.
 *
 * @throws RunSqlRefusal `invalid-parameter` for a key that the ring no longer has, after the end of a rotation.
 */
export function createFingerprinter(
  ring: KeyRing,
  request: FingerprintRequest,
  columns: readonly Pick<RunColumn, 'name'>[],
): Fingerprinter {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const { keyColumns, watchedColumns, routeColumn } = request;
  const requestedNames = [
    ...(keyColumns ?? []),
    ...(watchedColumns ?? []),
    ...(routeColumn === null ? [] : [routeColumn]),
  ];
  const missingColumns = [...new Set(requestedNames.filter((name) => !places.has(name)))];
  if (missingColumns.length > 0) return { missingColumns, of: () => [] };
  const placesOf = (names: readonly string[]) => names.flatMap((name) => places.get(name) ?? []);
  const everyPlace = columns.map((_, index) => index);
  const keyPlaces = keyColumns === null ? everyPlace : placesOf(keyColumns);
  const contentPlaces = watchedColumns === null ? everyPlace : placesOf(watchedColumns);
  const [routePlace] = placesOf(routeColumn === null ? [] : [routeColumn]);
  const macs = (request.keyIds ?? [ring.current.id]).map((keyId) => {
    const key = ring.byId(keyId);
    if (!key) throw new RunSqlRefusal('invalid-parameter', 'A key of the fingerprints is not configured.');
    const macOf = () => createRowMac(key.derive('row-memory'), request.domain);
    // One MAC per purpose: its buffer retains the label.
    return { keyId, key: macOf(), content: macOf(), route: macOf() };
  });

  const put = (mac: RowMac, label: 'key' | 'content', cells: Batch['columns'], row: number, into: Buffer) => {
    if (into.length === 0) return;
    mac.begin(label);
    for (const place of label === 'key' ? keyPlaces : contentPlaces) mac.add(cells[place]?.[row] ?? null);
    mac.endInto(into, row * fingerprintBytes[label], fingerprintBytes[label]);
  };
  return {
    missingColumns,
    of: ({ rowCount, columns: cells }) =>
      macs.map(({ keyId, key, content, route }) => {
        const keys = Buffer.allocUnsafe(isAsked(keyPlaces) ? rowCount * fingerprintBytes.key : 0);
        const contents = Buffer.allocUnsafe(isAsked(contentPlaces) ? rowCount * fingerprintBytes.content : 0);
        for (let row = 0; row < rowCount; row += 1) {
          put(key, 'key', cells, row, keys);
          put(content, 'content', cells, row, contents);
        }
        const routes = routePlace === undefined ? null : routesOf(route, cells[routePlace] ?? [], rowCount);
        return { keyId, keys, contents, routes };
      }),
  };
}

const isAsked = (places: readonly number[]): boolean => places.length > 0;

function routesOf(mac: RowMac, values: readonly Cell[], rowCount: number): Buffer {
  const routes = Buffer.allocUnsafe(rowCount * fingerprintBytes.route);
  for (let row = 0; row < rowCount; row += 1)
    routeCode(mac, values[row] ?? null).copy(routes, row * fingerprintBytes.route);
  return routes;
}
