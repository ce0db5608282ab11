import type { checkCheckout, readCheckout } from './checkout.ts'
import type { checkUploaded } from './upload.ts'

/** What checks the configuration of an app: it is loaded when the first request is sent. */
export interface AppConfigPart {
  checkUploaded: typeof checkUploaded
  readCheckout: typeof readCheckout
  checkCheckout: typeof checkCheckout
}
