import { CopyButton } from '../text/copy-button.tsx';
import classes from './remedy.module.css';

/** SQL that fixes a refusal or a warning, with a copy button. Renders nothing without a text. */
export function Remedy({ text }: { readonly text: string | null | undefined }) {
  if (text === null || text === undefined) return null;
  return (
    <div className={classes['remedy']}>
      <p>Run this as the owner of the database, with a password of your own, then enter the new role here:</p>
      <pre>{text.trimEnd()}</pre>
      <CopyButton isWide value={text} label="Copy the SQL" />
    </div>
  );
}
