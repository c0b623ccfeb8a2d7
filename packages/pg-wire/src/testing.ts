import type pg from 'pg';

/** Makes a client refuse statements, as the driver marks one whose end it has not been told of yet. */
export const refuseStatements = (client: pg.ClientBase): void => {
  Object.assign(client, { _queryable: false });
};
