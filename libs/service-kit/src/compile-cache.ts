import * as nodeModule from 'node:module';

// Compiled code is kept between starts, which makes the second cold start quicker. Node 22.8 and later have it.
if (process.env['JEST_WORKER_ID'] === undefined) nodeModule.enableCompileCache?.();
