import { Switch } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/form/dialog.tsx';
import { areSingleKeysOn, type Shortcut, setSingleKeys } from '../../ui/frame/keys/keys.ts';
import classes from './keys-dialog.module.css';

type Props = { readonly shortcuts: readonly Shortcut[]; readonly onClose: () => void };

const elsewhere: readonly { keys: string; label: string }[] = [
  { keys: 'Ctrl K', label: 'Search or go to' },
  { keys: 'Enter', label: 'Open the row' },
  { keys: 'Ctrl Enter', label: 'Run the query (editor)' },
  { keys: 'Ctrl S', label: 'Save (editor)' },
  { keys: 'Shift Alt F', label: 'Format the query (editor)' },
  { keys: 'Escape', label: 'Leave the editor or a dialog' },
];

export function KeysDialog({ shortcuts, onClose }: Props) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" size={560}>
      <dl className={classes['map']}>
        {[...elsewhere, ...shortcuts].map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        mt={16}
        label="Single keys act"
        description="Off: only keys with Ctrl or ⌘ act, which suits speech input."
        checked={isOn}
        onChange={(event) => {
          setSingleKeys(event.currentTarget.checked);
          setOn(event.currentTarget.checked);
        }}
      />
    </Dialog>
  );
}
