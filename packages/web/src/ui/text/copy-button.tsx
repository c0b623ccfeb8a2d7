import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Hint } from './hint.tsx';
import { Icon } from './icons.tsx';

type Props = {
  /** A function creates a long text only when the user copies it. */
  readonly value: string | (() => string);
  /** Label as an action: "Copy key". */
  readonly label: string;
  /** Shows the label in addition to the icon. */
  readonly isWide?: boolean;
};

/** Copies a text and confirms it. */
export function CopyButton({ value, label, isWide = false }: Props) {
  const clipboard = useClipboard({ timeout: 2_000 });
  const text = clipboard.copied ? 'Copied' : clipboard.error ? 'Select the text and copy it' : label;
  const icon = <Icon name={clipboard.copied ? 'check' : 'copy'} />;
  const copy = () => clipboard.copy(typeof value === 'string' ? value : value());
  return (
    <>
      {isWide ? (
        <Button leftSection={icon} onClick={copy}>
          {text}
        </Button>
      ) : (
        <Hint label={text}>
          <ActionIcon aria-label={label} onClick={copy} size={24}>
            {icon}
          </ActionIcon>
        </Hint>
      )}
      <span className="visually-hidden" role="status">
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </>
  );
}
