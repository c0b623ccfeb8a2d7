import { useMantineColorScheme } from '@mantine/core';
import { type Theme, updateUserSettings } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { queryClient } from '../../lib/server-state.ts';
import { currentUser } from '../../requests/session.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import { choiceOf, type ThemeChoice, themeChoices } from './theme-choices.ts';

/** Returns the present theme, and a function that changes it immediately and stores it for the user. */
export function useTheme(): { readonly present: ThemeChoice; readonly choose: (theme: Theme) => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return {
    present: choiceOf(colorScheme),
    choose: (theme) => {
      const choice = themeChoices.find(({ value }) => value === theme);
      if (choice) setColorScheme(choice.scheme);
      void keep(theme).catch(toastProblem);
    },
  };
}

/**
 * Stores the theme in the user's settings. A user of the host has no settings here, so only the browser stores their
 * theme.
 */
async function keep(theme: Theme): Promise<void> {
  if ((queryClient.getQueryData(currentUser.queryKey)?.userId ?? null) === null) return;
  await call(updateUserSettings, { body: { theme } });
  queryClient.setQueryData(currentUser.queryKey, (user) => user && { ...user, theme });
  await queryClient.invalidateQueries({ queryKey: [updateUserSettings.tag] });
}

/** Applies the theme from the user's settings, in every browser. */
export function useKeptTheme(): void {
  const theme = useQuery(currentUser).data?.theme ?? null;
  const { setColorScheme } = useMantineColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen here is not taken back by a drawing
  useEffect(() => {
    const choice = themeChoices.find(({ value }) => value === theme);
    if (choice) setColorScheme(choice.scheme);
  }, [theme]);
}
