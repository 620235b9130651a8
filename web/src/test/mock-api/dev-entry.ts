// The entry of `npm run dev:mock`: the app, with the mocked API.
import { startMockApi } from "./worker";

await startMockApi();
await import("@/app/main");
