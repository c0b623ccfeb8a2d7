import { createContext, useContext } from 'react';

/** Opens the documentation at the page of the present screen. The frame provides it. */
export const OpenHelp = createContext<(() => void) | undefined>(undefined);

export const useOpenHelp = (): (() => void) | undefined => useContext(OpenHelp);
