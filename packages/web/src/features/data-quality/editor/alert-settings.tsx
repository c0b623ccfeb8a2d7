import { Checkbox, Radio } from '@mantine/core';
import { type AlertMode, alertModes } from '@svc/contract';
import { RecipientPicker } from '../../../views/recipients/recipient-picker.tsx';
import { alertModeWords } from '../alert-words.ts';
import classes from './contract-editor.module.css';
import type { DraftState } from './use-draft.ts';

/** Who is told, and of what. */
export function AlertSettings({ state: { draft, errors, change } }: { readonly state: DraftState }) {
  const error = Object.entries(errors).find(([place]) => place.startsWith('recipientIds'))?.[1];
  return (
    <section className="stack-tight" aria-labelledby="contract-alerts">
      <h2 id="contract-alerts">Recipients and alerts</h2>
      <RecipientPicker value={draft.recipientIds} onChange={(recipientIds) => change({ recipientIds })} />
      {error !== undefined && (
        <p role="alert" className={classes['error']}>
          {error}
        </p>
      )}
      {draft.recipientIds.length === 0 && (
        <p className="soft">Nobody is told how it stands; its page shows it.</p>
      )}
      {alertModes.length > 1 && (
        <Radio.Group
          label="They are told"
          value={draft.alertMode}
          onChange={(mode) => change({ alertMode: modeOf(mode) })}
        >
          <div className="stack-tight" style={{ marginTop: 4 }}>
            {alertModes.map((mode) => (
              <Radio key={mode} size="xs" value={mode} label={alertModeWords[mode]} />
            ))}
          </div>
        </Radio.Group>
      )}
      <Checkbox
        label="Tell warnings as well"
        description="A rule that warns, or a score below that which warns."
        checked={draft.alertsOnWarning}
        onChange={(event) => change({ alertsOnWarning: event.currentTarget.checked })}
      />
    </section>
  );
}

const modeOf = (word: string): AlertMode => alertModes.find((mode) => mode === word) ?? 'EveryFailure';
