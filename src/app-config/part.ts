import type { checkCheckout, readCheckout } from './checkout.ts'
import type { checkUploaded } from './upload.ts'

/** The check of an app's configuration, which is loaded when the first request is sent. */
export interface AppConfigPart {
  checkUploaded: typeof checkUploaded
  readCheckout: typeof readCheckout
  checkCheckout: typeof checkCheckout
}
