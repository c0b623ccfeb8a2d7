/// <reference types="vite/client" />

/** Version of the build. The build inserts it. */
declare const __VERSION__: string;

/** Licence from the project's manifest. The build inserts it. */
declare const __LICENSE__: string;
