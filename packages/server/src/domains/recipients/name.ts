import { isUniqueViolation } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';

/** Runs a save. Throws 409 where another recipient has the name. */
export async function withUniqueName<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (isUniqueViolation(error, 'recipients_name'))
      throw conflict('name-taken', 'Another recipient has this name. Choose a different one.', [
        { path: '/name', message: 'is taken: another recipient has it' },
      ]);
    throw error;
  }
}
