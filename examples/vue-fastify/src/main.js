import { createApp } from 'vue';
import { whorlVue } from 'whorl/vue';
import App from './App.vue';

createApp(App).use(whorlVue()).mount('#app');
