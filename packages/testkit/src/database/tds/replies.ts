import { logins } from './catalogue.ts';
import { packetBytes } from './packets.ts';
import type { Login, StatementRequest } from './requests.ts';
import type { Result } from './shop.ts';
import {
  collationChange,
  columnsToken,
  databaseChange,
  done,
  doneStatus,
  errorToken,
  type Fault,
  loginAcknowledged,
  packetSizeChange,
  returnStatus,
  rowToken,
  token,
} from './tokens.ts';

/** Returns the tokens that end the answer to a statement. */
export const endOf = (request: StatementRequest, status: number, rows = 0): Buffer =>
  request.isProcedure
    ? Buffer.concat([
        done(token.doneInProcedure, status | doneStatus.more, rows),
        returnStatus(),
        done(token.doneProcedure, status & doneStatus.error),
      ])
    : done(token.done, status, rows);

/** Returns the answer with the rows of a result. */
export const rowsReply = (request: StatementRequest, { columns, rows }: Result): Buffer =>
  Buffer.concat([
    columnsToken(columns),
    ...rows.map((row) => rowToken(columns, row)),
    endOf(request, doneStatus.count, rows.length),
  ]);

/** Returns the answer with the error of a statement. */
export const faultReply = (request: StatementRequest, fault: Fault): Buffer =>
  Buffer.concat([errorToken(fault), endOf(request, doneStatus.error)]);

/** Returns the error of a login; undefined if it is valid. */
export function loginFault({ user, password, database }: Login): Fault | undefined {
  if (logins.get(user)?.password !== password)
    return { number: 18_456, message: `Login failed for user '${user}'.` };
  if (database === '' || database === 'shop') return undefined;
  return {
    number: 4_060,
    message: `Cannot open database "${database}" requested by the login. The login failed.`,
  };
}

/** Returns the answer to a refused login. */
export const refusedLoginReply = (fault: Fault): Buffer =>
  Buffer.concat([errorToken(fault), done(token.done, doneStatus.error)]);

/** Returns the answer to a valid login. */
export const loginReply = (): Buffer =>
  Buffer.concat([
    databaseChange('shop'),
    collationChange(),
    loginAcknowledged(),
    packetSizeChange(packetBytes),
    done(token.done, doneStatus.final),
  ]);
