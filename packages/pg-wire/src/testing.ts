import type pg from 'pg';

/** The connection below a client, for tests that look at what goes over it. */
export { wireOf } from './wire.ts';

/** Makes a client refuse statements, as the driver marks one whose end it has not been told of yet. */
export const refuseStatements = (client: pg.ClientBase): void => {
  Object.assign(client, { _queryable: false });
};
