/** lend-several.test.ts in a wide window. */
import { tellScans } from './tell-scans.ts';

tellScans(1280);
