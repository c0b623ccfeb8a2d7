/// <reference types="vite/client" />

/** The version of the build; written into it. */
declare const __VERSION__: string;
