import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { Hint } from '../../ui/text/hint.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import { choiceOf } from '../../views/look/theme-choices.ts';

const themePart = later(() => import('./foot-menus.tsx').then((module) => module.ThemeItems));

/** Choice of theme: light, dark, or the setting of the system. */
export function ThemeSwitch() {
  const { colorScheme } = useMantineColorScheme();
  const [isWanted, want] = useState(false);
  const present = choiceOf(colorScheme);
  const button = (
    <ActionIcon aria-label={`Theme: ${present.label}`} aria-haspopup="menu" onClick={() => want(true)}>
      <Icon name={present.icon} />
    </ActionIcon>
  );
  return (
    <Hint label="Theme">
      {isWanted ? (
        <LazyPart code={themePart} fallback={button} onMissing={() => want(false)}>
          {(ThemeItems) => <ThemeItems target={button} />}
        </LazyPart>
      ) : (
        button
      )}
    </Hint>
  );
}
