export {
  type DeviceList,
  type DeviceListState,
  type DevicesError,
  deviceList,
  type ListedDevice,
} from './device-list.js';
export { type ShowDevicesOptions, showDevices } from './device-view.js';
