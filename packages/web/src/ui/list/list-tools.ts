import { createContext, type ReactNode } from 'react';

/** Gives a tool that stands beside the filters of every list, by the list's name; the parts here know no records. */
export const ListTools = createContext<(list: string) => ReactNode>(() => null);
