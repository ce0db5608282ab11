/** What checks the configuration of an app before anything is written. */
export { checkCheckout, readCheckout } from '../app-config/checkout.ts'
export { checkUploaded } from '../app-config/upload.ts'
