import type pg from 'pg';

/** Connection of a client, for tests of the protocol. */
export { wireOf } from './wire.ts';

/** Makes a client refuse statements, in the same way as the driver marks a lost client before its end event. */
export const refuseStatements = (client: pg.ClientBase): void => {
  Object.assign(client, { _queryable: false });
};
