import { isCodeMissing } from '../../../../lib/problem.ts';
import { finalKey } from '../draft/draft-state.ts';
import type { EditedDraft } from '../draft/use-draft.ts';

/**
 * Formats the shown text. The code of the formatter loads on the first call.
 * @param onNotice  Receives the reason if the text cannot be formatted.
 */
export async function formatShown(
  { step, text, engine, dispatch }: EditedDraft,
  onNotice: (notice: string) => void,
): Promise<void> {
  try {
    const { formatSql } = await import('./format-sql.ts');
    dispatch({ kind: 'change-text', key: step?.key ?? finalKey, sql: formatSql(text, engine) });
  } catch (reason) {
    onNotice(
      isCodeMissing(reason)
        ? 'The service is not responding, so the text cannot be formatted now. Try again in a moment.'
        : `This text cannot be formatted: it does not read as ${engine === 'Rest' ? 'JSON' : 'SQL'}.`,
    );
  }
}
